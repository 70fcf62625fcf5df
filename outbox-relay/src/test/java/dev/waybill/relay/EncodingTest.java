package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.Prerequisites;
import dev.waybill.schema.SchemaName;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A hold is found by a key that has the length of its session's id in it. */
@ExtendWith(PostgresExtension.class)
class EncodingTest {
    @Test
    void a_database_that_counts_bytes_for_characters_is_refused(TestDatabase database) throws Exception {
        String name = database.schema() + "_bytes";
        database.execute("create database " + name + " encoding 'SQL_ASCII' locale 'C' template template0");
        try (var pool = PostgresServer.pool(database.server().jdbcUrl().replace("/postgres", "/" + name), 1)) {
            assertThatThrownBy(() -> Prerequisites.require(DSL.using(pool, SQLDialect.POSTGRES), SchemaName.DEFAULT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("SQL_ASCII")
                    .hasMessageContaining("UTF8");
        } finally {
            database.execute("drop database " + name);
        }
    }
}
