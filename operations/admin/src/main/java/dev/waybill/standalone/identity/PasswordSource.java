package dev.waybill.standalone.identity;

import java.util.Optional;

/**
 * Makes passwords of PostgreSQL roles, such as the tokens of a cloud's identity. {@code java.util.ServiceLoader} finds an
 * implementation; the option {@code database.NAME.credential} chooses it by {@link #name}. The driver's own plug-in ({@code
 * authenticationPluginClassName}) would be cheaper; it has no second try after a refusal, and its errors name no identity.
 * Implementations are thread-safe.
 */
public interface PasswordSource {
    /** The name in the configuration, in lower case. */
    String name();

    /**
     * Refuses a process that can never have a password, such as one without the identity's variables. Default: refuses none.
     *
     * @throws RuntimeException with {@code option}, the option that names the source, and what is missing
     */
    default void check(String option, Optional<String> clientId) {}

    /**
     * A password that is valid now. Called for each new connection, within the time that the connection may take (8 s), so it
     * keeps a password until shortly before its end.
     *
     * @throws RuntimeException if there is none; its message is told to the operator
     */
    String password(SignIn signIn);

    /** The server has refused the last password: the next one must be new. Called at most once for a connection. */
    void renew(SignIn signIn);

    /** Who signs in where. {@code clientId} chooses one of several identities. */
    record SignIn(String host, String role, Optional<String> clientId) {}
}
