package dev.waybill.supervision;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Removes the server's details from error texts: for a violated constraint they show the row, and thus part of a body. */
public final class ErrorDetails {
    /** A limit for cyclic causes. */
    private static final int DEEPEST = 20;

    private ErrorDetails() {}

    /** The message of a failure without details; null if it has none, or {@code getMessage()} throws. */
    public static @Nullable String messageOf(Throwable failure) {
        try {
            @Nullable String message = failure.getMessage();
            return message == null ? null : without(message, failure);
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** The message or stack trace of a failure, without the details of it and its causes. */
    public static String without(String text, @Nullable Throwable failure) {
        String told = text;
        @Nullable Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++, cause = cause.getCause()) {
            if (cause instanceof PSQLException psql) {
                told = withoutThoseOf(psql, told);
            }
        }
        return told;
    }

    private static String withoutThoseOf(PSQLException failure, String text) {
        @Nullable ServerErrorMessage server = failure.getServerErrorMessage();
        @Nullable String whole = failure.getMessage();
        if (server == null || server.getDetail() == null || whole == null || whole.isEmpty()) {
            return text;
        }
        return text.replace(whole, brief(server));
    }

    private static String brief(ServerErrorMessage server) {
        String message = Optional.ofNullable(server.getMessage()).orElse("no message");
        var brief = new StringBuilder()
                .append(Optional.ofNullable(server.getSeverity()).orElse("ERROR"))
                .append(": ")
                .append(message);
        @Nullable String constraint = server.getConstraint();
        if (constraint != null && !message.contains(constraint)) {
            brief.append(" (constraint ").append(constraint).append(')');
        }
        brief.append(" [").append(server.getSQLState()).append(']');
        @Nullable String hint = server.getHint();
        return hint == null
                ? brief.toString()
                : brief.append("; hint: ").append(hint).toString();
    }
}
