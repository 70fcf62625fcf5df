package dev.waybill.deadletter.redrive;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.RedriveRun;
import dev.waybill.deadletter.store.CustomPlans;
import dev.waybill.outbox.YieldingAppend;
import dev.waybill.outbox.YieldingAppend.Session;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jooq.DSLContext;

/** Appends copies of letters to the outbox. Bodies never leave the database. */
final class RedriveToOutbox {
    private final SqlFiles sql;

    RedriveToOutbox(SchemaName schema) {
        sql = new SqlFiles(RedriveToOutbox.class, schema);
    }

    void append(YieldingAppend append, RedriveRun run, List<RedriveItem> items, String now) {
        append.lockAll(items.stream()
                .map(item -> new Session(item.destination(run), item.message().session()))
                .toList());
        DSLContext tx = append.tx();
        tx.connection(connection -> copy(connection, run, items, now));
        Long[] claimed = items.stream()
                .filter(item -> item.message().claimed())
                .map(RedriveItem::id)
                .toArray(Long[]::new);
        if (claimed.length > 0) {
            tx.execute(sql.get("redrive-need-bodies"), val(claimed));
        }
    }

    // By the driver, whose arrays are binary: text would cost as much as the rest of the statement.
    private void copy(Connection tx, RedriveRun run, List<RedriveItem> items, String now) throws SQLException {
        try (PreparedStatement statement = CustomPlans.of(tx.prepareStatement(sql.get("redrive-copy")))) {
            statement.setArray(1, tx.createArrayOf("bigint", of(items, RedriveItem::id, new Long[0])));
            statement.setArray(2, tx.createArrayOf("text", of(items, item -> item.destination(run), new String[0])));
            statement.setArray(3, tx.createArrayOf("text", of(items, item -> item.brokerId(run.id()), new String[0])));
            statement.setArray(4, tx.createArrayOf("text", of(items, item -> item.headers(now), new String[0])));
            statement.executeUpdate();
        }
    }

    private static <T> T[] of(List<RedriveItem> items, Function<RedriveItem, T> value, T[] type) {
        return items.stream().map(value).toList().toArray(type);
    }
}
