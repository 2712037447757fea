"""`python -m abhidhan`, and the `abhidhan` command."""

from abhidhan.app.cli import main

if __name__ == "__main__":
    main()
