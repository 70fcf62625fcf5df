package shop;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.SQLDialect;
import org.jooq.impl.DataSourceConnectionProvider;
import org.jooq.impl.DefaultConfiguration;

/** Places orders. */
final class Shop {
    private final Outbox outbox;
    private final Configuration jooq;

    Shop(DataSource dataSource, Outbox outbox) {
        this.outbox = outbox;
        var connections = new DataSourceConnectionProvider(dataSource);
        // Sends the message together with the COMMIT: a round trip less. Without it append works as well.
        jooq = new DefaultConfiguration()
                .set(SQLDialect.POSTGRES)
                .set(connections)
                .set(outbox.appendingAtCommit(connections));
    }

    /** The order and its message are committed together, or neither is. */
    void place(String order, String item) {
        jooq.dsl().transaction(tx -> {
            tx.dsl()
                    .insertInto(table("orders"), field("id", String.class), field("item", String.class))
                    .values(order, item)
                    .execute();
            outbox.append(tx.dsl(), message(order, item));
        });
    }

    static OutboxMessage message(String order, String item) {
        return OutboxMessage.to("orders").id(order).session(item).text(item).build();
    }
}
