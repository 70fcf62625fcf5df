package dev.waybill.standalone.console.access;

import at.favre.lib.crypto.bcrypt.BCrypt;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Compares passwords with bcrypt hashes, one at a time: each costs a core a quarter of a second. Thread-safe. */
public final class Passwords {
    /** Bcrypt reads no more. */
    private static final int LONGEST_BYTES = 72;

    private static final int SHORTEST = 12;
    private static final int COST = 12;
    private static final int AT_A_TIME = 1;
    private static final long PATIENCE_SECONDS = 5;

    /** Of a password that nobody has: whoever does not exist takes as long as whoever does. */
    private static final String NOBODY = "$2a$12$FWTW0NYrSrOEP/LJHPPdFuK8wqS5Ur7.TIsC.i7m5mZCSZXgmdiYi";

    private final Semaphore running = new Semaphore(AT_A_TIME);

    /** The outcome of a comparison. */
    enum Verdict {
        RIGHT,
        WRONG,
        /** Too many compare at this moment. */
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
     * A line of the users file for somebody with a new password.
     *
     * @throws IllegalArgumentException if the name or the roles cannot stand there, or the password is too short or
     *     longer than bcrypt can tell apart
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
