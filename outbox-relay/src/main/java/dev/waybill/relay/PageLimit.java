package dev.waybill.relay;

/**
 * How much one read may return. The database keeps to it, so that what does not fit never travels.
 *
 * @param rows most new rows of a lane, and most late rows divided by the number of lanes
 * @param bytes most bytes of a lane's new rows, and again of all late rows together
 * @param atLeastOne whether the first new row of each lane comes along however large it is; only for a lane that is read
 *     alone
 */
record PageLimit(int rows, long bytes, boolean atLeastOne) {
    /** Most bytes of a new row, if all new rows of a lane and the one behind them are to have equal parts of its bytes. */
    long share() {
        return bytes / (rows + 1);
    }
}
