package dev.waybill.standalone.config;

import java.util.ArrayList;
import java.util.List;

/** The security conditions of the console: outside loopback it requires TLS and a sign-in. */
final class ConsoleChecks {
    private ConsoleChecks() {}

    static List<String> refusals(ConsoleSettings console) {
        var refusals = new ArrayList<String>();
        if (console.logins().isEmpty()) {
            refusals.add("The console needs at least one database.NAME.url");
        }
        if (!console.place().isLoopback()) {
            beyondLoopback(console, refusals);
        }
        return refusals;
    }

    private static void beyondLoopback(ConsoleSettings console, List<String> refusals) {
        String place = "console.bind is " + console.place().bind() + ", which others can reach: ";
        if (!console.signIn().isConfigured()) {
            refusals.add(place + "give console.users-file, console.openid.issuer, or console.proxy.addresses and"
                    + " console.proxy.secret");
        }
        if (console.place().hosts().equals(ConsoleReading.LOCAL_HOSTS)) {
            refusals.add(place + "give console.hosts, the names by which browsers reach it");
        }
        if (!console.place().https()) {
            refusals.add(place + "passwords must not travel in the clear. Let a proxy end TLS, and give"
                    + " console.https: true");
        }
        console.logins().forEach((database, logins) -> {
            if (logins.viewer().user().isEmpty() || logins.operator().user().isEmpty()) {
                refusals.add(place + "give database." + database + ".viewer-user and .operator-user, roles with the"
                        + " grants of readonly and operator");
            }
        });
    }
}
