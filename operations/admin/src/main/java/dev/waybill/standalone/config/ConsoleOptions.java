package dev.waybill.standalone.config;

import static dev.waybill.standalone.config.Kind.BYTES;
import static dev.waybill.standalone.config.Kind.DURATION;
import static dev.waybill.standalone.config.Kind.INTEGER;
import static dev.waybill.standalone.config.Kind.LIST;
import static dev.waybill.standalone.config.Kind.SWITCH;
import static dev.waybill.standalone.config.Kind.TEXT;
import static dev.waybill.standalone.config.Option.choice;
import static dev.waybill.standalone.config.Option.secret;

import java.util.List;

final class ConsoleOptions {
    /** The database roles of the console, listed with the options of the database. */
    static final List<Option> LOGINS = List.of(
            new Option(
                    "database.*.viewer-user",
                    TEXT,
                    "name",
                    "",
                    "The database role with which the console reads; it needs the grants of readonly. database.NAME.user"
                            + " unless given, which the console refuses beyond loopback."),
            secret("database.*.viewer-password", "Its password."),
            new Option(
                    "database.*.operator-user",
                    TEXT,
                    "name",
                    "",
                    "The database role with which the console changes something; it needs the grants of operator."
                            + " database.NAME.user unless given, which the console refuses beyond loopback."),
            secret("database.*.operator-password", "Its password."));

    static final List<Option> CONSOLE = List.of(
            new Option("console.enabled", SWITCH, "", "false", "Whether run serves the console beside the relays."),
            new Option(
                    "console.bind",
                    TEXT,
                    "address",
                    "127.0.0.1",
                    "Where the console is served. Beyond loopback it needs console.hosts, console.https, a way to sign in, and"
                            + " database roles of its own."),
            new Option("console.port", INTEGER, "port", "8090", "The port of the console; 0 takes any free one."),
            new Option(
                    "console.hosts",
                    LIST,
                    "host names",
                    "",
                    "The names in the addresses by which browsers reach it; a request for another one is refused. localhost,"
                            + " 127.0.0.1 and [::1] unless given."),
            new Option(
                    "console.https",
                    SWITCH,
                    "",
                    "false",
                    "Whether browsers reach it by https, which a proxy in front of it ends. Cookies are sent by https alone"
                            + " then."),
            new Option(
                    "console.trusted-proxies",
                    LIST,
                    "IP addresses or networks",
                    "",
                    "The proxies in front of it, such as an ingress: 10.0.3.7, 10.0.0.0/16, fd00::/8. Failed sign-ins are"
                            + " counted for the last address in X-Forwarded-For that is none of them. From any other address"
                            + " the header counts for nothing."),
            new Option(
                    "console.users-file",
                    TEXT,
                    "file",
                    "",
                    "The people who may sign in, and what each may do: name:hash:roles, a line each. Read again when it"
                            + " changes."),
            new Option(
                    "console.tokens-file",
                    TEXT,
                    "file",
                    "",
                    "The programs that may use the API, and what each may do: name:digest:roles:date, a line each. Read"
                            + " again when it changes."),
            new Option(
                    "console.session-database",
                    TEXT,
                    "name",
                    "",
                    "The database that keeps the sessions; the first one unless given."),
            new Option(
                    "console.session-idle",
                    DURATION,
                    "time",
                    "30m",
                    "How long after the last request a session ends. Requests that a page makes by itself do not count."),
            new Option("console.session-lifetime", DURATION, "time", "12h", "How long a session lasts at most."),
            new Option(
                    "console.body-limit",
                    BYTES,
                    "size",
                    "64KiB",
                    "How much of a message's body is shown; at most 1MiB."),
            new Option(
                    "console.redact",
                    LIST,
                    "fields",
                    "",
                    "The parts of messages that the console shows to nobody, by the names that dlq redact --field has: body,"
                            + " subject, description, property:NAME, body:/path/in/json."),
            new Option(
                    "console.proxy.addresses",
                    LIST,
                    "IP addresses",
                    "",
                    "The proxies that sign people in. Headers from any other address count for nothing."),
            new Option(
                    "console.proxy.user-header",
                    TEXT,
                    "header",
                    "X-Forwarded-User",
                    "The header in which a proxy names the person."),
            new Option(
                    "console.proxy.secret-header",
                    TEXT,
                    "header",
                    "X-Waybill-Proxy-Secret",
                    "The header in which a proxy shows its secret."),
            secret(
                    "console.proxy.secret",
                    "A secret that a proxy shows with each request, 16 characters at least. Needed with"
                            + " console.proxy.addresses."),
            choice(
                    "console.proxy.default-role",
                    List.of("none", "viewer", "operator"),
                    "The role of people whom a proxy names and the users file does not."),
            new Option(
                    "console.openid.issuer",
                    TEXT,
                    "address",
                    "",
                    "The OpenID Connect provider that signs people in: exactly as its discovery document says, without"
                            + " /.well-known."),
            new Option(
                    "console.openid.client-id",
                    TEXT,
                    "text",
                    "",
                    "The console as the provider knows it. Needed with the issuer."),
            secret("console.openid.client-secret", "The console's secret at the provider. Needed with the issuer."),
            new Option(
                    "console.openid.scopes",
                    LIST,
                    "scopes",
                    "openid, profile",
                    "Scopes that the provider is asked for; openid is always among them."),
            new Option(
                    "console.openid.name-claim",
                    TEXT,
                    "claim",
                    "preferred_username",
                    "The claim of the ID token that names the person, for pages and the audit."),
            new Option(
                    "console.openid.role-claim",
                    TEXT,
                    "claim",
                    "roles",
                    "The claim of the ID token whose values console.openid.roles turns into roles."),
            new Option(
                    "console.openid.roles",
                    LIST,
                    "value=role",
                    "",
                    "The role of people with a value in the role claim: value=viewer, value=operator@NAME; the same value may"
                            + " stand several times. Needed with the issuer."));

    private ConsoleOptions() {}
}
