"""What serves pages to phones: connections, certificates, hosts, limits, live updates."""
