package dev.waybill.standalone.metrics;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.metrics.Sends.Sample;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Times messages from their append to the broker's acknowledgement, of a sample of them. */
public final class CommitToAck {
    private final MeterRegistry registry;
    private final String database;
    private final DSLContext dsl;
    private final SchemaName schema;

    /** For a database. */
    public CommitToAck(MeterRegistry registry, String database, DSLContext dsl, SchemaName schema) {
        this.registry = registry;
        this.database = database;
        this.dsl = dsl;
        this.schema = schema;
    }

    /** Times the messages that were sampled since the last call. */
    public void time(Sends sends) {
        var byDestination = new HashMap<String, Map<Long, Long>>();
        for (Sample sample : sends.takeSamples()) {
            byDestination
                    .computeIfAbsent(sample.destination(), name -> new HashMap<>())
                    .put(sample.seq(), sample.acknowledgedNanos());
        }
        byDestination.forEach(this::time);
    }

    private void time(String destination, Map<Long, Long> acknowledged) {
        var rows = dsl.fetch(
                AGES.formatted(schema),
                val(destination),
                val(acknowledged.keySet().toArray(Long[]::new)));
        long now = System.nanoTime();
        rows.forEach(row -> {
            @Nullable Long at = acknowledged.get(row.get("seq", Long.class));
            if (at != null) {
                long age = row.get("age_micros", Long.class) * 1_000;
                timer(destination).record(Duration.ofNanos(Math.max(0, age - (now - at))));
            }
        });
    }

    private Timer timer(String destination) {
        return Timer.builder("waybill.outbox.commit.to.ack")
                .description("From the append of a message to the broker's acknowledgement; of a sample of messages")
                .tags("database", database, "destination", destination)
                .serviceLevelObjectives(TimeBounds.ALL)
                .register(registry);
    }

    private static final String AGES = """
            select seq, (extract(epoch from clock_timestamp() - created_at) * 1000000)::bigint as age_micros
            from %1$s.outbox_message
            where destination = {0} and %1$s.outbox_bucket(session_id, message_id) between 0 and 31 and seq = any({1})
            """;
}
