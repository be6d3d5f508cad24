"""Scrapy: links by LinkExtractor within the same host, robots.txt obeyed, no delay, 32 at once, nothing logged. It does
not warm up, as Python does not compile while it runs. Prints what it measured of itself, as JSON."""

import json
import resource
import time
from urllib.parse import urlsplit

from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class BenchSpider(CrawlSpider):
    name = "bench"
    rules = [Rule(LinkExtractor(), callback="count", follow=True)]
    custom_settings = {
        "CONCURRENT_REQUESTS": 32,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": True,
        "COOKIES_ENABLED": False,
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
    }

    def __init__(self, start_url, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [start_url]
        self.allowed_domains = [urlsplit(start_url).hostname]
        # Of start URLs it does not remember that they were seen: a link to one fetches it again.
        self.pages = set()
        self.started_at = time.perf_counter()
        self.cpu_before = cpu_seconds()

    def parse_start_url(self, response):
        # The first page comes by the start URL, and by no link that is followed.
        return self.count(response)

    def count(self, response):
        if response.status == 200:
            self.pages.add(response.url)

    def closed(self, reason):
        elapsed = time.perf_counter() - self.started_at
        pages = len(self.pages)
        peak_kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        run = {
            "pages": pages,
            "pagesPerSecond": pages / elapsed,
            "cpuMicrosecondsPerPage": (cpu_seconds() - self.cpu_before) * 1e6 / max(1, pages),
            "peakBytes": peak_kilobytes * 1024,
        }
        print(json.dumps(run), flush=True)
