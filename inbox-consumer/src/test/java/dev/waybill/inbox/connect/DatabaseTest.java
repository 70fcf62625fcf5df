package dev.waybill.inbox.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.failure.DatabaseErrors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@Timeout(30)
class DatabaseTest {
    private static final String ENDS = "select pg_terminate_backend(pg_backend_pid())::integer";

    @Test
    void what_a_connection_failed_with_is_not_hidden_by_the_attempt_to_give_it_back(TestDatabase server) {
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl(server.server().jdbcUrl());
            pool.setMaximumPoolSize(1);
            var database = new Database(pool);

            assertThat(catchThrowable(() -> database.number(ENDS))).matches(DatabaseErrors::isDatabaseDown);
            assertThat(catchThrowable(() -> database.transaction(tx -> {
                        try (var statement = tx.prepareStatement(ENDS)) {
                            statement.execute();
                        }
                    })))
                    .matches(DatabaseErrors::isDatabaseDown);
        }
    }
}
