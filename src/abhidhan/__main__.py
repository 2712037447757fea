"""`python -m abhidhan`, and the `abhidhan` command."""

from abhidhan.cli import main

if __name__ == "__main__":
    main()
