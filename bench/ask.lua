-- For wrk: requests the paths in the file PATHS in turn, after line FROM, and prints the results on one line.
local paths = {}
for line in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = line end
local place = tonumber(os.getenv("FROM"))

request = function()
  place = place + 1
  return wrk.format("GET", paths[place % #paths + 1])
end

done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
