package dev.waybill.standalone.identity;

import java.util.concurrent.atomic.AtomicInteger;

/** A source of the tests' own: each renewal makes the next password, as a cloud makes the next token. */
public final class ChangingPasswords implements PasswordSource {
    static final AtomicInteger RENEWALS = new AtomicInteger();

    static volatile boolean failing;

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
        if (failing) {
            throw new IllegalStateException("The identity of " + signIn.role() + " is not known here");
        }
        return password(RENEWALS.get());
    }

    @Override
    public void renew(SignIn signIn) {
        RENEWALS.incrementAndGet();
    }
}
