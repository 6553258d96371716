"""What tables and boxes are made of and what is printed there, drawn from noise."""
