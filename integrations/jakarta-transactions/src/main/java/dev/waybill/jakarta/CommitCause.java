package dev.waybill.jakarta;

import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Unwraps the database's error from a manager's exceptions: only it distinguishes a deadlock, which a retry can solve, from a bad row. */
final class CommitCause {
    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private CommitCause() {}

    /** The database's error, or {@code thrown} itself if it wraps none. */
    static Exception of(Exception thrown) {
        @Nullable SQLException cause = new CommitCause().find(thrown);
        return cause == null ? thrown : cause;
    }

    private @Nullable SQLException find(@Nullable Throwable thrown) {
        if (thrown == null || !seen.add(thrown)) {
            return null;
        }
        if (thrown instanceof SQLException found) {
            return found;
        }
        return Stream.concat(Stream.ofNullable(thrown.getCause()), Stream.of(thrown.getSuppressed()))
                .flatMap(inner -> Stream.ofNullable(find(inner)))
                .findFirst()
                .orElse(null);
    }
}
