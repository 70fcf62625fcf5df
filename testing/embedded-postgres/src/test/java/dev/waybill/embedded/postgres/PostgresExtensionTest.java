package dev.waybill.embedded.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class PostgresExtensionTest {
    private static final Set<String> SEEN = new HashSet<>();

    @RepeatedTest(2)
    void every_test_gets_a_schema_that_does_not_exist_yet(TestDatabase database) throws Exception {
        assertThat(SEEN.add(database.schema())).isTrue();
        database.execute("create schema " + database.schema());
    }

    @Test
    void the_server_is_a_real_postgresql_of_a_supported_version(TestDatabase database) throws Exception {
        try (var connection = database.dataSource().getConnection()) {
            assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("PostgreSQL");
            assertThat(connection.getMetaData().getDatabaseMajorVersion()).isGreaterThanOrEqualTo(14);
        }
    }

    @Test
    void a_given_server_is_used_as_it_is_and_left_running(TestDatabase database) throws Exception {
        var given = PostgresServer.at(database.server().jdbcUrl());
        given.close();

        assertThat(given.origin()).isEqualTo("given");
        try (var pool = PostgresServer.pool(given.jdbcUrl(), 1);
                var connection = pool.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
        }
    }
}
