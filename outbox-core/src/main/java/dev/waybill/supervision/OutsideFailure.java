package dev.waybill.supervision;

/**
 * An exception that tells of something outside the program: a server that was replaced, a broker that does not answer. One
 * line says all there is to say, and no stack trace is logged.
 */
public interface OutsideFailure {}
