"""What is true whoever asks: pure values, rules and tables, no input or output."""
