package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.lease.NewTables;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;

/** Plans of the loop's statements, as the server itself writes them down when it runs them. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class PlanTest {
    private static final String[] DESTINATIONS = {"a", "b", "c", "d", "e", "orders"};

    private final Broker broker = new Broker();
    private final List<PreparedStatement> statements = new ArrayList<>();
    private NewTables tables;
    private SteppedRelay relay;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        var source = new PGSimpleDataSource();
        source.setUrl(database.server().jdbcUrl());
        source.setOptions(
                "-c session_preload_libraries=auto_explain -c auto_explain.log_min_duration=0"
                        + " -c auto_explain.log_parameter_max_length=0 -c auto_explain.log_level=notice -c client_min_messages=notice");
        relay = new SteppedRelay(
                        tables, recording(DataSource.class, source), broker, HoldPolicy.HOLD_SESSION, DESTINATIONS)
                .own();
    }

    @AfterEach
    void end() {
        relay.close();
    }

    @Test
    void a_plan_that_was_made_while_the_table_was_empty_is_good_when_it_is_not() throws Exception {
        tables.append("orders", "s", "m0");
        relay.turns(8);
        tables.dsl.execute("vacuum (analyze) " + tables.schema.table("outbox_message"));
        relay.turns(8);
        tables.execute("insert into $.outbox_message (destination, session_id, message_id, payload)"
                + " select (array['a', 'b', 'c', 'd', 'e', 'orders'])[1 + n % 6], 's' || n % 1000, 'm' || n, '\\x01'"
                + " from generate_series(1, 100000) n");

        List<String> plans = plansOf(() -> {
            relay.read(SteppedRelay.MUCH);
            relay.sendAndSettle();
        });

        assertThat(plans.stream().flatMap(plan -> scansOfMessages(plan).stream()))
                .as("of the read, and of the delete")
                .hasSizeGreaterThanOrEqualTo(2);
        for (String plan : plans) {
            assertThat(plan).doesNotContain("Seq Scan on outbox_message");
            assertThat(scansOfMessages(plan))
                    .as(plan)
                    .allSatisfy(scan -> assertThat(scan).contains("outbox_message_pkey", "(destination = "));
            assertThat(sortsOverMessages(plan)).isEmpty();
        }
    }

    private List<String> plansOf(Runnable work) throws SQLException {
        work.run();
        var plans = new ArrayList<String>();
        for (PreparedStatement statement : statements) {
            if (statement.isClosed()) {
                continue;
            }
            for (var notice = statement.getWarnings(); notice != null; notice = notice.getNextWarning()) {
                plans.add(notice.getMessage());
            }
        }
        return plans;
    }

    // Remembers what is prepared, for its notices.
    private <T> T recording(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
                    try {
                        Object result = method.invoke(target, given);
                        if (result instanceof PreparedStatement statement) {
                            statements.add(statement);
                        }
                        return method.getName().equals("getConnection") && type == DataSource.class
                                ? recording(Connection.class, result)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    // With the line that has the condition.
    private static List<String> scansOfMessages(String plan) {
        List<String> lines = plan.lines().toList();
        return IntStream.range(0, lines.size() - 1)
                .filter(line -> lines.get(line).contains("Index Scan")
                        && lines.get(line).contains(" outbox_message"))
                .mapToObj(line -> lines.get(line) + lines.get(line + 1))
                .toList();
    }

    private static List<String> sortsOverMessages(String plan) {
        return plan.lines()
                .filter(line -> line.contains("Sort Key: m.seq") || line.contains("Sort Key: w.seq"))
                .toList();
    }
}
