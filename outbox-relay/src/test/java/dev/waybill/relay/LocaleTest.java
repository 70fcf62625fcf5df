package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.relay.connect.LoopConnection;
import dev.waybill.relay.connect.RelayConnections;
import dev.waybill.relay.lease.NewTables;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A locale with digits of its own: PostgreSQL reads none of them. */
@ExtendWith(PostgresExtension.class)
class LocaleTest {
    private final Locale before = Locale.getDefault();
    private NewTables tables;

    @BeforeEach
    void set_the_locale(TestDatabase database) {
        tables = new NewTables(database);
        Locale.setDefault(new Locale("ar", "EG"));
    }

    @AfterEach
    void set_it_back() {
        Locale.setDefault(before);
    }

    @Test
    void an_operator_pauses_a_destination() {
        Destinations.of(tables.dataSource(), tables.schema).pause("orders", new AuditContext("ada", "an incident"));
        assertThat(Destinations.of(tables.dataSource(), tables.schema).pauseOf("orders"))
                .isPresent();
    }

    @Test
    void the_loop_reads() {
        try (var loop =
                new LoopConnection(RelayConnections.using(tables.dataSource(), Duration.ofSeconds(30)), 20_000)) {
            int one = loop.run("select 1", (open, statement) -> {}, rows -> {
                rows.next();
                return rows.getInt(1);
            });
            assertThat(one).isOne();
        }
    }
}
