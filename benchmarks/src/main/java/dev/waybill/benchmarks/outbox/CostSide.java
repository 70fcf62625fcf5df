package dev.waybill.benchmarks.outbox;

import java.util.function.Consumer;
import org.jooq.DSLContext;

/** A way to write business transactions, and what publishes their events. */
interface CostSide {
    /** Whether there are events to wait for. */
    boolean publishes();

    /** How its transactions are run, by what runs those of the others. */
    default Transactions transactions(DSLContext usual) {
        return work -> usual.transaction(tx -> work.accept(tx.dsl()));
    }

    /** The statements of one transaction. */
    void write(DSLContext tx, int account, String reference);

    /** Starts to publish until it is closed, and says of each event that it has reached the publisher. */
    Publishing publishing(Consumer<String> published);

    /** Begins and commits a transaction around work. */
    interface Transactions {
        void run(Consumer<DSLContext> work);
    }

    /** Publishes until it is closed. */
    interface Publishing extends AutoCloseable {
        /** After each commit. */
        default void committed() {}

        @Override
        void close();
    }
}
