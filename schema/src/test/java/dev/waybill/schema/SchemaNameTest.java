package dev.waybill.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class SchemaNameTest {
    @Test
    void no_word_that_the_server_reserves_names_a_schema(TestDatabase database) {
        List<String> reserved = DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                .fetch("select word from pg_get_keywords() where catcode in ('R', 'T')")
                .into(String.class);

        assertThat(reserved)
                .hasSizeGreaterThan(80)
                .allSatisfy(word -> assertThatThrownBy(() -> new SchemaName(word))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("reserved word"));
    }

    @Test
    void what_would_need_quotes_names_none() {
        for (String name : List.of("", "Waybill", "1st", "a-b", "a b", "a.b", "a".repeat(64))) {
            assertThatThrownBy(() -> new SchemaName(name)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(new SchemaName("shop_messages").table("outbox_message")).isEqualTo("shop_messages.outbox_message");
    }
}
