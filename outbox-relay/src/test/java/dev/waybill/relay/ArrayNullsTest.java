package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code array_nulls = off}: the server takes NULL in an array for the text 'NULL'. */
@ExtendWith(PostgresExtension.class)
class ArrayNullsTest {
    @Test
    void a_refused_message_is_held_as_it_is_where_the_servers_arrays_have_no_nulls(TestDatabase database) {
        var outbox = new OutboxFixture(database);
        var broker = new RecordingPublisher();
        broker.refuse("poison");
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMaximumPoolSize(3);
        config.setMinimumIdle(0);
        config.setConnectionInitSql("set array_nulls = off");
        try (var pool = new HikariDataSource(config);
                var relay = outbox.relay(broker, DSL.using(pool, SQLDialect.POSTGRES))
                        .started()) {
            outbox.append("p", "poison", "behind");
            outbox.append("s", "m1");

            relay.run();
        }

        assertThat(broker.arrived()).containsExactly("m1");
        assertThat(outbox.dsl
                        .fetch("select message_id, subject from " + outbox.schema.table("outbox_held_message")
                                + " order by place")
                        .formatCSV())
                .isEqualToIgnoringNewLines("message_id,subjectpoison,\"\"behind,\"\"");
    }
}
