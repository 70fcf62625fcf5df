package dev.waybill.relay.loop;

import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.connect.LoopConnection;
import dev.waybill.relay.connect.RelayConnections;
import dev.waybill.relay.lease.DestinationTable;
import dev.waybill.relay.lease.Lease;
import dev.waybill.relay.lease.LoopProgress;
import dev.waybill.relay.lease.NewTables;
import dev.waybill.relay.send.Breaker;
import dev.waybill.relay.send.DestinationSender;
import dev.waybill.relay.settle.AcceptedRows;
import dev.waybill.relay.settle.HeldRows;
import dev.waybill.schema.IdleLimit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.slf4j.event.Level;

/** The rooms of a relay, put together as RelayEngine does, with a clock of the test's. */
final class LoopUnderTest {
    private static final Duration ANSWER = Duration.ofSeconds(30);

    final LoopConnection connection;
    final Reading reading;
    final Sending sending;
    final Settling settling;
    final Refusals refusals;
    final RelayLoop loop;
    final Map<String, Destination> served = new LinkedHashMap<>();

    LoopUnderTest(
            NewTables tables,
            DataSource dataSource,
            Lease lease,
            LoopProgress progress,
            LongSupplier clock,
            Runnable onResult,
            Statements statements,
            Map<String, DestinationSender> senders) {
        DSLContext dsl = IdleLimit.of(ANSWER, RelayConnections.using(dataSource, ANSWER));
        connection = new LoopConnection(dsl, ANSWER.toMillis());
        reading = new Reading(connection, tables.schema, Duration.ofMillis(8), clock);
        sending = new Sending(lease, new IsolationRecord(dsl, tables.schema), 100, onResult);
        settling = new Settling(
                statements,
                new AcceptedRows(connection, tables.schema, Set.of()),
                new HeldRows(dsl, tables.schema),
                reading.floors(),
                null,
                clock);
        refusals = new Refusals(dsl, tables.schema, clock);
        senders.forEach((name, sender) -> served.put(
                name,
                new Destination(
                        sender,
                        new PollSchedule(Duration.ofMillis(8), Duration.ofMillis(500), clock.getAsLong()),
                        () -> {})));
        var time = new HeldSends.Time(Duration.ofSeconds(10), Duration.ofSeconds(30));
        loop = new RelayLoop(
                new LoopParts(
                        reading,
                        sending,
                        settling,
                        new Ownership(
                                new DestinationTable(dsl, tables.schema),
                                lease,
                                reading.floors(),
                                clock,
                                () -> {},
                                Level.INFO),
                        new HeldSends(dsl, tables.schema, Set.of(), time, clock, onResult),
                        refusals),
                statements,
                lease,
                progress,
                List.copyOf(served.values()),
                clock);
    }

    static Map<String, DestinationSender> senders(
            Publisher publisher, HoldPolicy policy, LongSupplier clock, String... destinations) {
        var senders = new LinkedHashMap<String, DestinationSender>();
        for (String name : destinations) {
            senders.put(
                    name, new DestinationSender(name, policy, publisher, new Breaker(clock, new SplittableRandom(1))));
        }
        return senders;
    }
}
