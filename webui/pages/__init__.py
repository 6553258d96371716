"""The pages: before a match, of a match, of the rules; screens, statistics, boards to print."""
