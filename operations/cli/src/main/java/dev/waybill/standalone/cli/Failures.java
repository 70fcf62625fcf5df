package dev.waybill.standalone.cli;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.waybill.hold.HoldBusyException;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.NotConfirmedException;
import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.DatabaseFailure;
import dev.waybill.standalone.servicebus.BrokerFailure;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;
import org.flywaydb.core.api.FlywayException;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** The text and the exit code of a failed command. */
final class Failures {
    private Failures() {}

    static String text(Throwable failure, @Nullable DatabaseSettings database) {
        if (database != null && isOfDatabase(failure)) {
            return DatabaseFailure.text(database, failure);
        }
        if (failure instanceof FileSystemException file) {
            return file.getFile() + ": " + why(file);
        }
        if (ofCharacters(failure).isPresent()) {
            return "The input is no UTF-8";
        }
        if (BrokerFailure.isUnreachable(failure) || BrokerFailure.isMissing(failure)) {
            return DatabaseFailure.why(failure);
        }
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.toString() : message;
    }

    private static String why(FileSystemException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        @Nullable String reason = failure.getReason();
        return reason == null ? failure.getClass().getSimpleName() : reason;
    }

    private static Optional<Throwable> ofCharacters(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CharacterCodingException) {
                return Optional.of(cause);
            }
        }
        return Optional.empty();
    }

    private static boolean isOfDatabase(Throwable failure) {
        return failure instanceof DataAccessException
                || failure instanceof SQLException
                || failure instanceof PoolInitializationException
                || (failure instanceof FlywayException && isOfServer(failure));
    }

    // Otherwise the words of Flyway name options that this program lacks.
    private static boolean isOfServer(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .anyMatch(SQLException.class::isInstance);
    }

    static int code(Throwable failure) {
        if (failure instanceof NotConfirmedException) {
            return ExitCode.NOT_CONFIRMED;
        }
        if (failure instanceof ConfigException
                || failure instanceof IllegalArgumentException
                || failure instanceof FileSystemException
                || ofCharacters(failure).isPresent()) {
            return ExitCode.BAD_INPUT;
        }
        if (failure instanceof NoSuchElementException || BrokerFailure.isMissing(failure)) {
            return ExitCode.NOT_FOUND;
        }
        if (failure instanceof HoldBusyException) {
            return ExitCode.BUSY;
        }
        return DatabaseFailure.isConnection(failure) || BrokerFailure.isUnreachable(failure)
                ? ExitCode.UNREACHABLE
                : ExitCode.FAILED;
    }
}
