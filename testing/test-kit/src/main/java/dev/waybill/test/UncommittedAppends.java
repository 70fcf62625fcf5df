package dev.waybill.test;

import dev.waybill.schema.SchemaName;
import dev.waybill.test.jdbc.JdbcWatch;
import dev.waybill.test.jdbc.Session;
import dev.waybill.test.jdbc.SqlText;
import dev.waybill.test.jdbc.Step;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds appends that were never committed. In a pool without auto-commit, an append outside a transaction looks like one inside, and is
 * rolled back without an error when its connection is closed. Thread-safe.
 */
final class UncommittedAppends implements JdbcWatch {
    private final String written;
    private final String function;
    private final Set<Session> open = ConcurrentHashMap.newKeySet();
    private final List<Throwable> lost = Collections.synchronizedList(new ArrayList<>());

    UncommittedAppends(SchemaName schema) {
        written = "insert into " + schema.table("outbox_");
        function = "outbox_append(";
    }

    @Override
    public void before(Session session, Step step) {
        if (step.kind() == Step.Kind.CLOSE && session.note() instanceof Throwable place) {
            lost.add(place);
            forget(session);
        }
    }

    @Override
    public void after(Session session, Step step) throws SQLException {
        switch (step.kind()) {
            case STATEMENT -> {
                if (isAppend(step.sql()) && !session.isAutoCommit()) {
                    session.note(new Throwable("appended by: " + step.sql()));
                    open.add(session);
                }
                SqlText text = SqlText.of(step.sql());
                if (text.commits() || text.rollsBack()) {
                    forget(session);
                }
            }
            case COMMIT, ROLLBACK -> forget(session);
            case CLOSE -> {}
        }
    }

    private void forget(Session session) {
        session.note(null);
        open.remove(session);
    }

    private boolean isAppend(String sql) {
        return sql.contains(written) || sql.contains(function);
    }

    /** @throws AssertionError if there are any, in connections that are open or were closed */
    void requireNone(OutboxTables database) {
        var found = new ArrayList<String>();
        List<Throwable> places = places();
        places.forEach(place -> found.add(describe(place)));
        found.addAll(database.openAppends());
        if (!found.isEmpty()) {
            var error = new AssertionError("Appends were made in transactions that nobody has committed:\n  "
                    + String.join("\n  ", found)
                    + "\nCommit the transaction. If the connection comes with auto-commit off, no transaction was begun"
                    + " around the append, and the pool rolls it back.");
            places.forEach(error::addSuppressed);
            throw error;
        }
    }

    private List<Throwable> places() {
        var places = new ArrayList<Throwable>();
        synchronized (lost) {
            places.addAll(lost);
        }
        open.forEach(session -> {
            if (session.note() instanceof Throwable place) {
                places.add(place);
            }
        });
        return places;
    }

    private static String describe(Throwable place) {
        for (StackTraceElement frame : place.getStackTrace()) {
            boolean machinery = isMachinery(frame.getClassName());
            if (!machinery) {
                return "by " + frame;
            }
        }
        return String.valueOf(place.getMessage());
    }

    private static boolean isMachinery(String type) {
        boolean waybills = type.startsWith("dev.waybill.") && !type.endsWith("Test");
        return waybills
                || type.startsWith("java.")
                || type.startsWith("jdk.")
                || type.startsWith("org.jooq.")
                || type.contains("$Proxy");
    }
}
