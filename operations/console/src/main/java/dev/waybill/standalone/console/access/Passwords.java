package dev.waybill.standalone.console.access;

import at.favre.lib.crypto.bcrypt.BCrypt;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Compares passwords with bcrypt hashes, one at a time: each takes a core a quarter of a second. Thread-safe. */
public final class Passwords {
    /** The limit of bcrypt. */
    private static final int LONGEST_BYTES = 72;

    private static final int SHORTEST = 12;
    private static final int COST = 12;
    private static final int AT_A_TIME = 1;
    private static final long PATIENCE_SECONDS = 5;

    /** A hash without a password: unknown users take as long as known ones. */
    private static final String NOBODY = "$2a$12$FWTW0NYrSrOEP/LJHPPdFuK8wqS5Ur7.TIsC.i7m5mZCSZXgmdiYi";

    private final Semaphore running = new Semaphore(AT_A_TIME);

    enum Verdict {
        RIGHT,
        WRONG,
        BUSY
    }

    Verdict verify(String password, @Nullable String hash) {
        byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
        try {
            if (!running.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return Verdict.BUSY;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Verdict.BUSY;
        }
        try {
            boolean fits = bytes.length <= LONGEST_BYTES && bytes.length > 0;
            byte[] known = (hash == null ? NOBODY : hash).getBytes(StandardCharsets.UTF_8);
            boolean right = BCrypt.verifyer().verify(fits ? bytes : new byte[] {1}, known).verified;
            return right && fits && hash != null ? Verdict.RIGHT : Verdict.WRONG;
        } finally {
            running.release();
        }
    }

    /**
     * A line of the users file.
     *
     * @throws IllegalArgumentException if the name or the roles are invalid, or the password is too short or too long for
     *     bcrypt
     */
    public static String line(String name, char[] password, String roles) {
        return UsersFile.checked(name + ":" + hash(password) + ":" + roles);
    }

    private static String hash(char[] password) {
        byte[] bytes = new String(password).getBytes(StandardCharsets.UTF_8);
        if (password.length < SHORTEST || bytes.length > LONGEST_BYTES) {
            throw new IllegalArgumentException(
                    "A password has " + SHORTEST + " characters at least, and " + LONGEST_BYTES + " bytes at most");
        }
        return BCrypt.withDefaults().hashToString(COST, password);
    }
}
