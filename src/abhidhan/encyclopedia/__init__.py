"""Where articles come from: wikis over the network, and ZIM files on this machine."""
