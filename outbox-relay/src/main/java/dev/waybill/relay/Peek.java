package dev.waybill.relay;

/**
 * The cheapest look at the database.
 *
 * @param snapshot what a read would see now: where it is that of the last read, nothing has committed since
 * @param drawn the last sequence value that was drawn
 * @param changes moves whenever relays have come or gone, or lanes have changed hands
 */
record Peek(String snapshot, long drawn, long changes) {}
