"""The lists of completions: the first words of each beginning that many words share, chosen before anybody types it."""
