package dev.waybill.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.relay.Relay;
import java.util.function.Consumer;
import org.jooq.DSLContext;

/** Appends, and a relay in the writers' process. */
final class WaybillSide implements CostSide {
    private static final int CONNECTIONS = 4;

    private final OutboxSchema schema;
    private final Business business;
    private final HikariDataSource pool;

    WaybillSide(OutboxSchema schema, Business business) {
        this.schema = schema;
        this.business = business;
        this.pool = schema.pool("relay", CONNECTIONS);
    }

    @Override
    public boolean publishes() {
        return true;
    }

    @Override
    public void write(DSLContext tx, int account, String reference) {
        business.minimal(tx, account, reference);
        business.append(tx, account, reference);
    }

    @Override
    public Publishing publishing(Consumer<String> published) {
        var relay = Relay.builder(pool)
                .schema(schema.name())
                .destination(Backlog.DESTINATION)
                .publisher(new AcceptingPublisher(rows -> rows.forEach(row -> published.accept(row.messageId()))))
                .build();
        relay.start();
        return new Publishing() {
            @Override
            public void committed() {
                relay.wake();
            }

            @Override
            public void close() {
                relay.close();
            }
        };
    }
}
