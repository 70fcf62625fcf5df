package dev.waybill.relay;

/**
 * Where a lane's rows of a page come from. Immutable.
 *
 * @param position that the page was read from: rows up to there are late
 * @param snapshot of the read
 * @param lateReached late rows with values up to here had met their fate before; 0 if none had
 */
record PageOrigin(long position, String snapshot, long lateReached) {}
