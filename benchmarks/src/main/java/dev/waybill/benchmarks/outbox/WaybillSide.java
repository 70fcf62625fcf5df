package dev.waybill.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.outbox.LocalRelay;
import dev.waybill.relay.Relay;
import java.time.Duration;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Appends, and a relay in the writers' process. It stays on between the measurements: one that starts has the compiler at work. */
final class WaybillSide implements CostSide, LocalRelay, AutoCloseable {
    private static final int CONNECTIONS = 4;
    private static final Duration USUAL = Duration.ofMillis(8);

    private final OutboxSchema schema;
    private final Business business;
    private final Duration lookInterval;
    private final HikariDataSource pool;
    private volatile @Nullable Relay relay;

    WaybillSide(OutboxSchema schema, Business business) {
        this(schema, business, USUAL);
    }

    /** One that looks after every commit: after some seconds the compiler has seen it as often as after an hour. */
    static WaybillSide eager(OutboxSchema schema, Business business) {
        return new WaybillSide(schema, business, Duration.ZERO);
    }

    private WaybillSide(OutboxSchema schema, Business business, Duration lookInterval) {
        this.schema = schema;
        this.lookInterval = lookInterval;
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
        Relay started = start(published);
        return new Publishing() {
            @Override
            public void committed() {
                started.wake();
            }

            @Override
            public void close() {}
        };
    }

    Relay start(Consumer<String> published) {
        Relay running = relay == null ? started(published) : relay;
        relay = running;
        return running;
    }

    @Override
    public boolean wake(String destination) {
        Relay running = relay;
        return running != null && running.wake(destination);
    }

    private Relay started(Consumer<String> published) {
        return Relay.builder(pool)
                .schema(schema.name())
                .destination(Backlog.DESTINATION)
                .tuning(tuning -> tuning.pollInterval(lookInterval))
                .publisher(new AcceptingPublisher(rows -> rows.forEach(row -> published.accept(row.messageId()))))
                .build()
                .start();
    }

    @Override
    public void close() {
        if (relay != null) {
            relay.close();
        }
    }
}
