package dev.waybill.standalone.identity;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A source of the tests' own: each renewal makes the next password, as a cloud makes the next token. */
public final class ChangingPasswords implements PasswordSource {
    static final AtomicInteger RENEWALS = new AtomicInteger();

    /** In place of the password. */
    static volatile Optional<Supplier<@Nullable String>> otherwise = Optional.empty();

    /** The password after so many renewals. */
    static String password(int renewals) {
        return "token-" + renewals;
    }

    @Override
    public String name() {
        return "changing";
    }

    @Override
    public String password(SignIn signIn) {
        return otherwise.orElse(() -> password(RENEWALS.get())).get();
    }

    @Override
    public void renew(SignIn signIn) {
        RENEWALS.incrementAndGet();
    }
}
