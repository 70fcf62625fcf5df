package dev.waybill.benchmarks.outbox;

import java.util.function.Consumer;
import org.jooq.DSLContext;

/** No events at all: what the others are measured against. */
record BusinessAlone(Business business) implements CostSide {
    @Override
    public boolean publishes() {
        return false;
    }

    @Override
    public void write(DSLContext tx, int account, String reference) {
        business.minimal(tx, account, reference);
    }

    @Override
    public Publishing publishing(Consumer<String> published) {
        return () -> {};
    }
}
