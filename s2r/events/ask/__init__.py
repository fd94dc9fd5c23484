"""English questions as typed specifications: constituents first, then the operator that they make up."""
