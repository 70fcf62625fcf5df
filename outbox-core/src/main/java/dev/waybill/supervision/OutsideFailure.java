package dev.waybill.supervision;

/** Marks an exception with a cause outside the program, such as a silent broker. It is logged without a stack trace. */
public interface OutsideFailure {}
