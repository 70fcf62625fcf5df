package dev.waybill.test;

import dev.waybill.relay.Destinations;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.test.servicebus.TestBroker;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Publishes when it is told to, whatever destinations there are. Used by one thread. */
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
        List<String> destinations = tables.destinations();
        if (destinations.isEmpty()) {
            return 0;
        }
        int published = relay(destinations).publishCommitted();
        requireAllPublished();
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
                .listening(false)
                .publisher(broker.publisher());
        served.forEach(builder::destination);
        Relay made = builder.build();
        relay = made;
        return made;
    }

    private void requireAllPublished() {
        var destinations = Destinations.of(dataSource, schema);
        Set<String> paused = destinations.paused().keySet();
        List<SeenMessage> left = tables.pending().list().stream()
                .filter(message -> !paused.contains(message.place()))
                .toList();
        if (!left.isEmpty()) {
            var text = new StringBuilder("Not all messages could be published. Left:");
            left.forEach(message -> text.append("\n  ").append(message));
            destinations
                    .refused()
                    .forEach((name, why) -> text.append("\nThe broker refuses '")
                            .append(name)
                            .append("': ")
                            .append(why.description()));
            throw new AssertionError(
                    text.append("\nThe relay's log says more. An entity that is missing at the broker and")
                            .append(" another relay on this database are the usual causes.")
                            .toString());
        }
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
