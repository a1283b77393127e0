"""What the gate is measured with: good sources, mutants of them with the fault each one shows, and a baseline."""
