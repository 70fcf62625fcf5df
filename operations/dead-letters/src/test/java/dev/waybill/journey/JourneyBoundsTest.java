package dev.waybill.journey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.journey.Journey.Part;
import dev.waybill.journey.JourneyEntry.Step;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The costs of a journey of much, counted. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class JourneyBoundsTest {
    private JourneyFixture tables;
    private TestDatabase database;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        tables = new JourneyFixture(database);
    }

    @Test
    void a_session_of_many_messages_takes_as_many_statements_as_one_of_two() {
        published("few", 2);
        published("many", 300);
        var statements = new AtomicInteger();
        Journeys counted = Journeys.in(counting(database.dataSource(), statements), tables.schema);

        counted.of(SearchTerm.session("few"), 1_000);
        statements.set(0);
        counted.of(SearchTerm.session("few"), 1_000);
        int ofFew = statements.getAndSet(0);
        Journey many = counted.of(SearchTerm.session("many"), 1_000);

        assertThat(ofFew).isBetween(10, 30);
        assertThat(statements).hasValue(ofFew);
        assertThat(many.cut()).isFalse();
        assertThat(many.entries())
                .filteredOn(entry -> entry.step() == Step.PUBLISHED)
                .hasSize(300);
    }

    @Test
    void what_is_left_out_is_said_by_name() {
        appended("alice", 3);
        for (int i = 0; i < 5; i++) {
            tables.execute("insert into $schema.message_event (side, scope, event, message_id, session_id)"
                    + " values ('inbox', 'ledger', 'failed', 'alice-1', 'alice')");
        }

        assertThat(tables.journeys.of(SearchTerm.session("alice"), 2).leftOut())
                .containsExactlyInAnyOrder(Part.MESSAGES, Part.EVENTS, Part.ENTRIES);
        assertThat(tables.journeys.of(SearchTerm.message("alice-1"), 6).leftOut())
                .containsExactly(Part.ENTRIES);
        assertThat(tables.journeys.of(SearchTerm.session("alice"), 20).leftOut())
                .isEmpty();
    }

    @Test
    void a_message_that_many_events_of_another_one_stand_before_is_found_by_the_session() {
        tables.execute("insert into $schema.message_event (side, scope, event, message_id, session_id)"
                + " select 'inbox', 'ledger', 'failed', case i when 1 then 'early' else 'loud' end, 'alice'"
                + " from generate_series(1, 50) i");

        Journey journey = tables.journeys.of(SearchTerm.session("alice"), 20);

        assertThat(journey.leftOut()).doesNotContain(Part.MESSAGES).contains(Part.EVENTS);
        assertThat(tables.journeys.of(SearchTerm.session("alice"), 60).entries())
                .extracting(entry -> entry.place().message())
                .contains("early", "loud");
    }

    private void published(String session, int messages) {
        appended(session, messages);
        tables.publishAll();
    }

    private void appended(String session, int messages) {
        tables.execute(APPEND.formatted(session, messages));
    }

    private static DataSource counting(DataSource pool, AtomicInteger statements) {
        return (DataSource) Proxy.newProxyInstance(
                JourneyBoundsTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.getName().equals("getConnection")
                        ? counting(pool.getConnection(), statements)
                        : method.invoke(pool, arguments));
    }

    private static Connection counting(Connection connection, AtomicInteger statements) {
        return (Connection) Proxy.newProxyInstance(
                JourneyBoundsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        statements.incrementAndGet();
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static final String APPEND = """
            insert into $schema.outbox_message (destination, session_id, message_id, payload)
            select 'orders', '%1$s', '%1$s-' || i, 'x' from generate_series(1, %2$d) i
            """;
}
