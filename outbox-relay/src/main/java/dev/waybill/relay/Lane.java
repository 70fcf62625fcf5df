package dev.waybill.relay;

/** The unit that keeps order: one destination's share of one bucket. */
record Lane(String destination, short bucket) {}
