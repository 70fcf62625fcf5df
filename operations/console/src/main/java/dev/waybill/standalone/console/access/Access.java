package dev.waybill.standalone.console.access;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ConsoleSettings;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.console.access.Sessions.Session;
import dev.waybill.standalone.database.InstalledTables;
import dev.waybill.standalone.database.Pools;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Authenticates requests and looks up rights for each. Thread-safe. */
public final class Access implements AutoCloseable {
    /** For sign-in methods without a password. */
    static final String NO_PROOF = "";

    private final ConsoleSettings settings;
    private final HikariDataSource pool;
    private final SchemaName schema;
    private final Sessions sessions;
    private final Optional<UsersFile> users;
    private final Optional<ProxySignIn> proxy;
    private final Optional<StartToken> startToken;
    private final String machineUser;
    private final ProgramSignIn programs;
    private final ClientAddress addresses;
    private final Optional<OpenIdProvider> openId;

    private Access(Configuration configuration, Consumer<String> told) {
        settings = configuration.console();
        users = settings.signIn().usersFile().map(UsersFile::read);
        proxy = settings.signIn().proxy().map(each -> new ProxySignIn(each, System::nanoTime));
        startToken = settings.signIn().isConfigured() ? Optional.empty() : Optional.of(new StartToken(told));
        openId = settings.signIn().openId().map(OpenIdProvider::new);
        programs = new ProgramSignIn(
                settings.signIn().tokensFile().map(path -> TokensFile.read(path, InstantSource.system())),
                System::nanoTime);
        addresses = new ClientAddress(settings);
        machineUser = System.getProperty("user.name", "unknown");
        DatabaseSettings database =
                configuration.database(Optional.of(settings.sessions().database()));
        pool = Pools.forSessions(database);
        schema = database.schema();
        sessions = new Sessions(pool, schema, settings.sessions());
    }

    /**
     * The configured access.
     *
     * @param told receives each start-up token
     * @throws dev.waybill.standalone.config.ConfigException if the users file is unreadable
     */
    public static Access of(Configuration configuration, Consumer<String> told) {
        return new Access(configuration, told);
    }

    public void begin() {
        startToken.ifPresent(StartToken::tell);
    }

    Optional<StartToken> startToken() {
        return startToken;
    }

    Optional<UsersFile> users() {
        return users;
    }

    Optional<OpenIdProvider> openId() {
        return openId;
    }

    /** The address of the console in this browser; the host was checked before. */
    String ownAddress(Context request) {
        return (settings.place().https() ? "https://" : "http://") + request.header("Host");
    }

    /** A cookie that also accompanies requests from other sites, for a sign-in in progress. */
    Cookie passingCookie(String name, String value, int maxAge) {
        boolean https = settings.place().https();
        String full = https ? "__Host-" + name : name;
        return new Cookie(full, value, "/", maxAge, https, 0, true, null, null, SameSite.LAX);
    }

    boolean hasPasswords() {
        return users.isPresent();
    }

    /** Explains a failure of the session database. */
    public RuntimeException explained(DataAccessException failure) {
        return InstalledTables.explained(failure, pool, schema);
    }

    Sessions sessions() {
        return sessions;
    }

    String machineUser() {
        return machineUser;
    }

    /** Finds the signed-in person; {@code counts} is whether the request extends the session. */
    Optional<SignedInRequest> visit(Context request, boolean counts) {
        @Nullable String token = request.cookie(cookieName());
        Optional<Session> session = token == null ? Optional.empty() : sessions.find(token, counts);
        Optional<String> named = proxy.flatMap(each -> each.person(request));
        if (named.isPresent()) {
            return Optional.of(byProxy(request, named.get(), session, token));
        }
        return session.flatMap(this::person).map(person -> new SignedInRequest(person, csrf(String.valueOf(token))));
    }

    /**
     * Authenticates a program by its token.
     *
     * @throws Refusal without a valid token
     */
    Person program(Context request) {
        return programs.program(request, address(request));
    }

    private SignedInRequest byProxy(Context request, String name, Optional<Session> session, @Nullable String token) {
        boolean same = session.filter(each ->
                        each.way() == SignInMethod.PROXY && each.person().equals(name))
                .isPresent();
        String now = same && token != null ? token : signIn(request, name, SignInMethod.PROXY, NO_PROOF);
        return new SignedInRequest(new Person(name, rightsByProxy(name)), csrf(now));
    }

    private Rights rightsByProxy(String name) {
        return users.flatMap(file -> file.find(name))
                .map(UsersFile.User::rights)
                .or(() -> settings.signIn()
                        .proxy()
                        .flatMap(ConsoleSettings.Proxy::defaultRole)
                        .map(Rights::parse))
                .orElse(Rights.NONE);
    }

    // A proxy must name the person in each request.
    private Optional<Person> person(Session session) {
        return switch (session.way()) {
            case TOKEN -> startToken.map(token -> new Person(session.person(), Rights.everywhere(ConsoleRole.ADMIN)));
            case PASSWORD ->
                users.flatMap(file -> file.find(session.person()))
                        .filter(user -> user.hash() != null && Secrets.areEqual(session.proof(), proof(user.hash())))
                        .map(user -> new Person(user.name(), user.rights()));
            case PROXY -> Optional.empty();
            case OPENID -> openId.map(provider -> new Person(session.person(), provider.rights(session.proof())));
        };
    }

    /** A digest of a password hash; a new password ends the session. */
    static String proof(String hash) {
        return Secrets.text(Secrets.digest("proof", hash));
    }

    /** Opens a session, ends the previous one, and returns the new token. */
    String signIn(Context request, String person, SignInMethod way, String proof) {
        signOut(request);
        String token = sessions.open(person, way, proof);
        request.cookie(cookie(token, -1));
        return token;
    }

    void signOut(Context request) {
        @Nullable String token = request.cookie(cookieName());
        if (token != null) {
            sessions.close(token);
            request.cookie(cookie("", 0));
        }
    }

    private Cookie cookie(String token, int maxAge) {
        return new Cookie(
                cookieName(), token, "/", maxAge, settings.place().https(), 0, true, null, null, SameSite.STRICT);
    }

    // The prefix makes browsers reject a cookie set by another host of the domain.
    private String cookieName() {
        return settings.place().https() ? "__Host-waybill" : "waybill";
    }

    private static String csrf(String token) {
        return Secrets.text(Secrets.digest("csrf", token));
    }

    /** The client's address, as reported by trusted proxies. */
    String address(Context request) {
        return addresses.of(request);
    }

    @Override
    public void close() {
        pool.close();
    }
}
