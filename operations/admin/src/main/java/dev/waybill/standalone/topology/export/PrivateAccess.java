package dev.waybill.standalone.topology.export;

import static dev.waybill.standalone.topology.export.Resources.map;

import dev.waybill.standalone.topology.export.Expression.Given;
import dev.waybill.standalone.topology.export.Expression.Named;
import dev.waybill.standalone.topology.export.Expression.ResourceId;
import dev.waybill.standalone.topology.export.Resource.Context;
import java.util.List;
import java.util.Map;

/** The private endpoint of a namespace with its DNS records. */
final class PrivateAccess {
    static final String ZONE = "privatelink.servicebus.windows.net";
    private static final String DNS = "Microsoft.Network/privateDnsZones";
    private static final String DNS_VERSION = "@2020-06-01";
    private static final String ENDPOINT = "Microsoft.Network/privateEndpoints";
    private static final String ENDPOINT_VERSION = "@2023-11-01";

    private final Resource namespace;

    PrivateAccess(Resource namespace) {
        this.namespace = namespace;
    }

    List<Resource> resources() {
        var zone = new Resource("privateDnsZone", DNS + DNS_VERSION, ZONE, Context.NONE, map("location", "global"));
        Resource endpoint = endpoint();
        return List.of(zone, link(zone), endpoint, group(endpoint, zone));
    }

    private Resource link(Resource zone) {
        return new Resource(
                "privateDnsLink",
                DNS + "/virtualNetworkLinks" + DNS_VERSION,
                "waybill",
                Context.of(zone),
                map(
                        "location",
                        "global",
                        "properties",
                        map("registrationEnabled", false, "virtualNetwork", map("id", new Given(Export.NETWORK)))));
    }

    private Resource endpoint() {
        Map<String, Object> connection = map(
                "name",
                "servicebus",
                "properties",
                map("privateLinkServiceId", new ResourceId(namespace), "groupIds", List.of("namespace")));
        return new Resource(
                "privateEndpoint",
                ENDPOINT + ENDPOINT_VERSION,
                new Named("endpoint"),
                Context.NONE,
                map(
                        "location",
                        new Given(Export.LOCATION),
                        "properties",
                        map(
                                "subnet",
                                map("id", new Given(Export.SUBNET)),
                                "privateLinkServiceConnections",
                                List.of(connection))));
    }

    private static Resource group(Resource endpoint, Resource zone) {
        Map<String, Object> config =
                map("name", "servicebus", "properties", map("privateDnsZoneId", new ResourceId(zone)));
        return new Resource(
                "privateDnsZoneGroup",
                ENDPOINT + "/privateDnsZoneGroups" + ENDPOINT_VERSION,
                "default",
                Context.of(endpoint),
                map("properties", map("privateDnsZoneConfigs", List.of(config))));
    }
}
