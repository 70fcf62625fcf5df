package dev.waybill.standalone.console.access;

import dev.waybill.standalone.config.AddressRange;
import dev.waybill.standalone.config.ConsoleSettings;
import io.javalin.http.Context;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The address of a client. Each proxy appends to {@code X-Forwarded-For}, so the list is read from the end, as long as the
 * sender is a trusted proxy. A client can forge only the part before. Immutable.
 */
final class ClientAddress {
    private final List<AddressRange> trusted;
    private final Set<String> signingIn;

    ClientAddress(ConsoleSettings settings) {
        trusted = settings.place().trustedProxies();
        signingIn = settings.signIn().proxy().stream()
                .flatMap(proxy -> proxy.addresses().stream())
                .map(Addresses::plain)
                .collect(Collectors.toSet());
    }

    String of(Context request) {
        String direct = String.valueOf(request.req().getRemoteAddr());
        Optional<InetAddress> nearest = Addresses.parsed(direct);
        if (nearest.isEmpty()) {
            return direct;
        }
        InetAddress known = nearest.get();
        List<String> hops = hops(request);
        for (int i = hops.size() - 1; i >= 0 && isTrusted(known); i--) {
            Optional<InetAddress> hop = Addresses.parsed(hops.get(i));
            if (hop.isEmpty()) {
                break;
            }
            known = hop.get();
        }
        return known.getHostAddress();
    }

    private boolean isTrusted(InetAddress address) {
        return signingIn.contains(address.getHostAddress())
                || trusted.stream().anyMatch(range -> range.contains(address));
    }

    // Some proxies append a second header line.
    private static List<String> hops(Context request) {
        var hops = new ArrayList<String>();
        for (String line : Collections.list(request.req().getHeaders("X-Forwarded-For"))) {
            hops.addAll(List.of(line.split(",", -1)));
        }
        return hops;
    }
}
