//! `.bgf` of BGBlitz.
