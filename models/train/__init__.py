"""Train Pipsight's own networks: `finder` and `reader`; never needed to run or to test."""
