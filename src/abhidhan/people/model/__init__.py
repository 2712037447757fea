"""Rules and values of people and accounts: no input or output."""
