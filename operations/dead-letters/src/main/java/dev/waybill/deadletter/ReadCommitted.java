package dev.waybill.deadletter;

import org.jooq.DSLContext;

/**
 * For transactions that ask for orders of erasure, whatever level the pool, the role or the database gives them. Under
 * REPEATABLE READ a transaction sees what was there when it began, and has to wait at the gate for an order that came since.
 */
final class ReadCommitted {
    private ReadCommitted() {}

    /** As the first statement of a transaction; inside of one that has this level already it does nothing. */
    static void begin(DSLContext tx) {
        tx.execute("set transaction isolation level read committed");
    }
}
