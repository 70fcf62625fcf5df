package dev.waybill.test;

import dev.waybill.relay.Destinations;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.test.servicebus.TestBroker;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Publishes on demand to all destinations that have messages. Used by one thread. */
final class SingleTurns implements AutoCloseable {
    private final DataSource dataSource;
    private final SchemaName schema;
    private final TestBroker broker;
    private final OutboxTables tables;
    private final Set<String> served = new TreeSet<>();
    private @Nullable Relay relay;

    SingleTurns(DataSource dataSource, SchemaName schema, TestBroker broker, OutboxTables tables) {
        this.dataSource = dataSource;
        this.schema = schema;
        this.broker = broker;
        this.tables = tables;
    }

    int publish() {
        List<SeenMessage> asked = tables.publishable();
        List<String> destinations = tables.destinations();
        if (destinations.isEmpty()) {
            return 0;
        }
        Relay turning = relay(destinations);
        int published = 0;
        int more = 0;
        @Nullable DataAccessException failure = null;
        List<SeenMessage> left;
        do {
            try {
                more = turning.publishCommitted();
                published += more;
            } catch (DataAccessException e) {
                failure = e;
            }
            left = left(asked);
        } while (more > 0 && !left.isEmpty() && failure == null);
        requireNone(left, failure);
        return published;
    }

    private Relay relay(List<String> destinations) {
        Relay current = relay;
        if (current != null && served.containsAll(destinations)) {
            return current;
        }
        close();
        served.addAll(destinations);
        Relay.Builder builder = Relay.builder(dataSource)
                .schema(schema)
                .name("test-kit")
                .tuning(tuning -> tuning.listening(false))
                .publisher(broker.publisher());
        served.forEach(builder::destination);
        Relay made = builder.build();
        relay = made;
        return made;
    }

    // Only of what was there before the call: other threads may append, and times come, while it runs.
    private List<SeenMessage> left(List<SeenMessage> asked) {
        Set<String> known = asked.stream().map(SingleTurns::key).collect(Collectors.toSet());
        Set<String> paused = Destinations.of(dataSource, schema).paused().stream()
                .map(Destinations.Pause::destination)
                .collect(Collectors.toSet());
        return tables.publishable().stream()
                .filter(message -> known.contains(key(message)) && !paused.contains(message.place()))
                .toList();
    }

    private void requireNone(List<SeenMessage> left, @Nullable DataAccessException failure) {
        if (!left.isEmpty()) {
            throw new AssertionError(describe(left, failure), failure);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static String key(SeenMessage message) {
        return message.place() + "\n" + message.id();
    }

    private String describe(List<SeenMessage> left, @Nullable DataAccessException failure) {
        var text = new StringBuilder("Not all messages could be published. Left:");
        left.forEach(message -> text.append("\n  ").append(message));
        if (failure != null) {
            return text.append("\nThe database failed: ")
                    .append(failure.getMessage())
                    .toString();
        }
        Destinations.of(dataSource, schema)
                .refused()
                .forEach((name, why) -> text.append("\nThe broker refuses '")
                        .append(name)
                        .append("': ")
                        .append(why.description()));
        return text.append("\nThe relay's log says more. An entity that is missing at the broker, another relay on this"
                        + " database, and an open transaction that appends to the same session are the usual causes.")
                .toString();
    }

    @Override
    public void close() {
        Relay current = relay;
        relay = null;
        if (current != null) {
            current.close();
        }
    }
}
