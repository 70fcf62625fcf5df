package dev.waybill.supervision;

/**
 * Marks an exception whose cause is outside the program, such as a broker that does not respond. It is logged without a stack
 * trace.
 */
public interface OutsideFailure {}
