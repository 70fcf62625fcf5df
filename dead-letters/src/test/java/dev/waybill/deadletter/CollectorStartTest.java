package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class CollectorStartTest {
    @Test
    void a_connection_that_would_store_other_bodies_than_it_is_given_is_refused(TestDatabase database) {
        var stored = new StoredLetters(database);
        String settings = "&preferQueryMode=simple&options=-c%20standard_conforming_strings=off";
        try (var pool = PostgresServer.pool(database.server().jdbcUrl() + settings, 1)) {
            assertThatThrownBy(() -> DeadLetterCollector.start(pool, stored.schema, List.of()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("standard_conforming_strings");
        }
    }
}
