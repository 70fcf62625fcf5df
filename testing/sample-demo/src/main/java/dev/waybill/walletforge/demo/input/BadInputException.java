package dev.waybill.walletforge.demo.input;

import java.nio.file.Path;

/** Input that cannot be worked on: names file, line and reason. */
public final class BadInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A whole file or an option is at fault. */
    public BadInputException(String message) {
        super(message);
    }

    /** A line is at fault. */
    public BadInputException(Path file, long line, String reason) {
        super(file + ":" + line + ": " + reason);
    }
}
